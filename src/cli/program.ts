export async function runProgram(process: NodeJS.Process): Promise<void> {
  process.exitCode = 2;
}
