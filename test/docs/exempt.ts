/** Programs that no test starts, and why. */
export const exemptPrograms: Readonly<Record<string, string>> = {
  helm: 'needs a cluster; test/deploy renders the chart',
  kubectl: 'needs a cluster; test/deploy runs what a pod runs',
  docker: 'needs a container runtime; test/container and test/deploy read its files',
  sudo: 'would change this machine; test/deploy reads the units and opens the package',
  systemctl: 'needs a machine that systemd started',
  journalctl: 'needs a machine that systemd started',
};

/** Scripts of npm that no test starts, and why. */
export const exemptScripts: Readonly<Record<string, string>> = {
  ci: 'installs what this test itself runs on',
  generate: 'would write; test/architecture compares all it writes',
  bench: 'takes minutes; test/bench runs each benchmark once, tiny',
  quality: 'takes minutes',
  audit: 'asks the registry',
  package: 'takes minutes; test/package makes and tries everything',
  soak: 'takes half an hour; test/soak runs a short one',
  endurance: 'takes two hours; test/endurance reads its list of parts',
};

/** Scripts of npm that this test is a part of, or that would change files. */
export const checkScripts: readonly string[] = [
  'test',
  'test:system',
  'lint',
  'types',
  'format',
  'screenshots',
];
