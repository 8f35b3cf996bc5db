import { Command } from 'commander';
import { type CheckFormat, type CheckStatus, checkFormats } from '../check/account/account-line.ts';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { configFileSetting } from '../config/setting.ts';
import { redactText } from '../log/redaction.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { wordOption } from './option.ts';
import { addSettingOptions, readSettingFlags, serveSettings, settingNote } from './setting-option.ts';
import { paint, withProgress } from './terminal.ts';
import { version } from './version.ts';

const requestHelp = `
A check reads each list once and sends two requests each for a few projects. No history is read or written: it can run
beside a daemon.`;

/** A small request budget or a slow service makes a check take longer. */
const patienceMs = 1000;

/** `check`: asks each account what the daemon would ask it, and says what is wrong and what to do. */
export function checkCommand(io: Io): Command {
  const command = new Command('check')
    .description('ask the accounts whether all of them can be read: key, lists, size, latency, clock, budget')
    .addOption(wordOption('--format <format>', 'how it is printed', checkFormats, 'table'));
  return addSettingOptions(command, serveSettings, [configFileSetting])
    .addHelpText('after', `${requestHelp}\n\n${settingNote}`)
    .action(async ({ format }: { readonly format: CheckFormat }) => {
      const flags = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags, env: io.env }, { mayReprice: true });
      // Loaded here alone: the API client costs `--help` a noticeable time.
      const { checkAccounts, hasFailed } = await import('../check/account/account-check.ts');
      const { renderChecks } = await import('../check/account/rendering.ts');
      const userAgent = `dbpm-exporter/${version}`;
      const signal = io.stopped;
      const work = (onProgress: (done: number) => void) =>
        checkAccounts(config, { userAgent, signal, onProgress }).catch(error => {
          throw signal.aborted ? new Failure('it was told to stop') : error;
        });
      const checks = await withProgress(io, 'asking', work, { patienceMs });
      // A service may repeat the key in what it says.
      const keys = config.accounts.map(({ readApiKey }) => readApiKey());
      io.stdout(redactText(renderChecks(checks, format, paintFor(io)), keys));
      refuseUnreadable(checks.filter(hasFailed).map(({ answers }) => answers.account));
    });
}

/** Paints failures and warnings alone: they stand out. */
function paintFor({ stdoutHasColors }: Io) {
  return (word: string, status: CheckStatus) => {
    if (status === 'failed') return paint(word, 'failure', stdoutHasColors);
    return status === 'warning' ? paint(word, 'warning', stdoutHasColors) : word;
  };
}

/** Ends a command that found accounts the daemon could not read, or not wholly. */
function refuseUnreadable(accounts: readonly string[]): void {
  if (accounts.length === 0) return;
  const which = accounts.length === 1 ? `account ${accounts[0]}` : `accounts ${accounts.join(', ')}`;
  throw new Failure(`${which} cannot be read, or not wholly: what failed says what to do`);
}
