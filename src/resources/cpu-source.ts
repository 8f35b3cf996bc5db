/** Where the service tells the compute of an account's projects: in their list, or in the answer for each of them. */
const cpuSources = ['list', 'project'] as const;
export type CpuSource = (typeof cpuSources)[number];

/** The source that may be asked for: `auto` takes the list for as long as that tells it. */
export const cpuSourceChoices = ['auto', ...cpuSources] as const;
export type CpuSourceChoice = (typeof cpuSourceChoices)[number];
