/** A page of a file is not what SQLite writes there. */
export class DamagedPage extends Error {
  override readonly name = 'DamagedPage';
}
