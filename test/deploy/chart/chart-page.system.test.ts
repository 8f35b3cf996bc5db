import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { documents } from '../../docs/document.ts';
import { describeChart, findManifest } from './chart-renderer.ts';
import { listManifestProblems } from './manifest-check.ts';

const page = documents.find(({ path }) => path === 'docs/kubernetes.md');
const blocks = (page?.fences ?? []).filter(({ language }) => language === 'yaml').map(({ text }) => text);

describeChart('the page about Kubernetes', render => {
  test.each(blocks)('shows values that the chart takes: %s', text => {
    const shown = parse(text);
    const { manifests } = render(shown);
    for (const manifest of manifests) expect(listManifestProblems(manifest)).toEqual([]);
  });

  test('names the pod and the port as they are', () => {
    const rendering = render(parse(blocks[0] ?? ''), { release: 'dbpm' });
    const { metadata, spec } = findManifest(rendering, 'StatefulSet');
    expect(page?.text).toContain(` ${metadata.name}-0 `);
    const health = spec.template.spec.containers[0].ports.find(
      ({ name }: { name: string }) => name === 'health',
    );
    expect(page?.prose).toContain(`at port ${health.containerPort}`);
    expect(blocks).toHaveLength(4);
  });
});
