const longestText = 200;

/**
 * Text of the service as it may stand in an error or a log: one line, nothing invisible, at most 200 characters,
 * and without the key, should the service repeat it.
 */
export function oneLine(text: string, apiKey: string): string {
  const visible = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const safe = apiKey === '' ? visible : visible.replaceAll(apiKey, '[API key]');
  const characters = [...safe];
  return characters.length <= longestText ? safe : `${characters.slice(0, longestText - 1).join('')}…`;
}
