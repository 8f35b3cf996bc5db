import * as v from 'valibot';
import {
  fillTemplate,
  type LinkTemplates,
  type LinkThing,
  linkThings,
  linkValues,
} from '../resources/link-template.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { group, hasEntries, isGroupOrNothing, named, single } from './schema.ts';
import { groupName } from './spending-schema.ts';
import type { WrittenNode } from './written-node.ts';

/** Titles of links with their addresses, in the order in which they are shown. */
function templatesOf(thing: LinkThing) {
  const names = linkValues[thing].map(name => `{${name}}`).join(', ');
  const advice = `write the whole http:// or https:// address of a page, in which ${names} stand for values behind the name of its host`;
  const address = single(
    advice,
    v.pipe(
      v.string(),
      v.check(text => isTemplate(text, thing)),
    ),
  );
  return v.exactOptional(
    named('write titles of links, each with an address behind it', groupName, address, hasEntries),
  );
}

const schema = group(
  `write ${linkThings.join(', ')}, each with titles and addresses of links below it`,
  {
    project: templatesOf('project'),
    endpoint: templatesOf('endpoint'),
    branch: templatesOf('branch'),
    operation: templatesOf('operation'),
  },
  isGroupOrNothing,
);

/** The section `links`, after adding to `problems` what is wrong with it. */
export function readLinks(node: WrittenNode | undefined, problems: Problem[]): LinkTemplates {
  const read = node === undefined || node.kind === 'nothing' ? {} : (readNode(schema, node, problems) ?? {});
  const templates = (thing: LinkThing) =>
    (read[thing] ?? []).map(({ name, value }) => ({ title: name, template: value }));
  return {
    project: templates('project'),
    endpoint: templates('endpoint'),
    branch: templates('branch'),
    operation: templates('operation'),
  };
}

/** Whether a text is an address whatever its values are; none of them is a part of the host. */
function isTemplate(text: string, thing: LinkThing): boolean {
  const values = Object.fromEntries(linkValues[thing].map(name => [name, 'value']));
  const filled = fillTemplate(text, values);
  const url = filled === undefined || /[\s{}]/.test(filled) ? null : URL.parse(filled);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.password === '' && url.username === '' && !/^[^/]*\/\/[^/?#]*\{/.test(text);
}
