import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFolder } from '../daemon/open-daemon.ts';
import { startProgram } from '../support/daemon-process.ts';
import { patience } from '../support/patience.ts';
import { answerJson, startScriptedService } from '../support/scripted-service.ts';

const canary = 'canary-7d1f0c55e2a94b83';

test('a diagnostic report holds neither the key nor the rest of the environment, and a reload still finds the key', async () => {
  const folder = openFolder(onTestFinished);
  const service = await startScriptedService((_, response) => answerJson(response, 401, {}));
  onTestFinished(() => service.close());
  const program = startProgram(['serve', '--web.listen-address', '127.0.0.1:0'], {
    DBPM_BASE_URL: service.base_url,
    DBPM_API_KEY: canary,
    DBPM_HISTORY_FILE: join(folder, 'history.sqlite'),
    NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-directory=${folder}`,
  });
  await program.untilWritten('stderr', /msg=serving/);
  program.signal('SIGUSR2');
  const report = await vi.waitFor(() => {
    const [name = 'none'] = readdirSync(folder).filter(file => file.endsWith('.json'));
    const text = readFileSync(join(folder, name), 'utf8');
    expect(() => JSON.parse(text)).not.toThrow();
    return text;
  }, patience);
  expect(report).not.toContain(canary);
  expect(JSON.parse(report)).not.toHaveProperty('environmentVariables');
  program.signal('SIGHUP');
  await program.untilWritten('stderr', /the configuration was loaded again/);
  await vi.waitFor(
    () => expect(service.requests.at(-1)?.headers.authorization).toBe(`Bearer ${canary}`),
    patience,
  );
  await program.stop('SIGTERM');
});
