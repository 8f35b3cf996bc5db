/** A UTF-16 code unit as JSON escapes it, such as `\u000a`. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
