import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { UsageView } from '../../src/resources/usage/view.ts';
import { ViewReceiver, ViewSender } from '../../src/usage/view-channel.ts';

const viewOf = (account: string) => ({ accounts: [{ account }], budgets: [] }) as unknown as UsageView;

test('whoever comes later is told the latest view, and every one after it', async () => {
  const name = randomUUID();
  const sender = new ViewSender(name);
  sender.send(viewOf('first'));
  sender.send(viewOf('second'));
  const receiver = new ViewReceiver(name);
  expect(receiver.view).toBeUndefined();
  await receiver.told;
  expect(receiver.view).toEqual(viewOf('second'));
  sender.send(viewOf('third'));
  await vi.waitFor(() => expect(receiver.view).toEqual(viewOf('third')), 30_000);
});

test('that there is none yet is told, too', async () => {
  const name = randomUUID();
  new ViewSender(name);
  const receiver = new ViewReceiver(name);
  await receiver.told;
  expect(receiver.view).toBeUndefined();
});

test('views of another name are not taken', async () => {
  const other = new ViewSender(randomUUID());
  const name = randomUUID();
  const sender = new ViewSender(name);
  const receiver = new ViewReceiver(name);
  other.send(viewOf('other'));
  sender.send(viewOf('own'));
  await vi.waitFor(() => expect(receiver.view).toEqual(viewOf('own')), 30_000);
});

test('nothing is told before somebody asks, and use by project and group never', async () => {
  const name = randomUUID();
  const heard: unknown[] = [];
  const listener = new BroadcastChannel(name);
  listener.onmessage = event => heard.push((event as { readonly data: unknown }).data);
  const sender = new ViewSender(name);
  const account = { account: 'main', projects: [{ project_id: 'p' }], groups: [{ group: 'g' }] };
  sender.send({ accounts: [account], budgets: [] } as unknown as UsageView);
  const receiver = new ViewReceiver(name);
  await vi.waitFor(() => expect(heard).toHaveLength(3), 30_000);
  listener.close();
  expect(heard).toEqual([{ begun: true }, { again: true }, { view: viewOf('main') }]);
  expect(receiver.view).toEqual(viewOf('main'));
});

test('a thread that takes the place of another is asked by all who asked that one, and until then its last view is shown', async () => {
  const name = randomUUID();
  new ViewSender(name).send(viewOf('old'));
  const receiver = new ViewReceiver(name);
  await receiver.told;
  const listener = new BroadcastChannel(name);
  const told = once(listener as unknown as EventTarget, 'message');
  const next = new ViewSender(name);
  await told;
  listener.close();
  expect(receiver.view).toEqual(viewOf('old'));
  next.send(viewOf('new'));
  await vi.waitFor(() => expect(receiver.view).toEqual(viewOf('new')), 30_000);
});
