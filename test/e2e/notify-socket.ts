import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Takes datagrams as systemd does and writes each as a line of JSON; file descriptors that come along are closed. */
const receive = `
import json, socket, sys
taking = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
taking.bind(sys.argv[1])
print('open', flush=True)
while True:
    print(json.dumps(taking.recv(65536).decode()), flush=True)
`;

/** The end of a notification socket that systemd has: what services tell of themselves, in its order. */
interface NotifySocket {
  readonly messages: readonly string[];
  close(): void;
}

/** Opens a notification socket with the Python that is given. */
export async function openNotifySocket(python3: string, path: string): Promise<NotifySocket> {
  const child = spawn(python3, ['-c', receive, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const messages: string[] = [];
  let begun = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines.filter(each => each !== 'open')) {
      const message: string = JSON.parse(line);
      // `systemd-notify` waits by it until its message was taken.
      if (message !== 'BARRIER=1') messages.push(message);
    }
  });
  await once(child.stdout, 'data');
  return {
    messages,
    close() {
      process.off('exit', killed);
      killed();
    },
  };
}
