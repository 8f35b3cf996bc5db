/** What a child process can be asked to do; every argument and answer is cloned on its way. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

export interface Question {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}

export interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** Makes this process do tasks for the one that started it, and end with it. */
export function serveTasks(tasks: Tasks): void {
  process.once('disconnect', () => process.exit());
  process.on('message', async ({ id, task, input }: Question) => {
    process.send?.(await answerQuestion(tasks, { id, task, input }));
  });
}

async function answerQuestion(tasks: Tasks, { id, task, input }: Question): Promise<Answer> {
  try {
    return { id, answer: await tasks[task]?.(input as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? `${error.stack}` : String(error) };
  }
}
