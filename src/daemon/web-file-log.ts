import { renderProblem } from '../config/problem.ts';
import { readSourceFile } from '../config/source-file.ts';
import { type NamedWebFile, readWebFile } from '../config/web-file.ts';
import type { Logger } from '../log/logger.ts';
import { WebAccessWatch } from './web-access-watch.ts';

/** Follows the web configuration file, and logs what becomes of its changes. */
export function watchWebFile(file: NamedWebFile | undefined, log: Logger): WebAccessWatch {
  return new WebAccessWatch({
    file,
    read: path => {
      const { file: read, problems } = readWebFile(path, readSourceFile);
      return { ...(read && { file: read }), problems: problems.map(renderProblem) };
    },
    onReading: ({ file: read, problems }) => {
      if (problems.length === 0) log.info({ file: read?.path }, 'the web configuration was read again');
      for (const problem of problems) {
        log.error({ problem }, 'the web configuration stays as it was');
      }
    },
  });
}
