/** Names as live services give them: what series and rows cost depends on their length. */
export function projectId(index: number): string {
  return `calm-river-${String(index).padStart(8, '0')}`;
}

export function endpointId(index: number): string {
  return `ep-calm-river-${String(index).padStart(8, '0')}`;
}

/** A UUID that depends on the project and the number of the operation. */
export function operationId(index: number, operation: number): string {
  const project = index.toString(16).padStart(8, '0');
  return `${project}-7c1e-4b0f-9a2d-${operation.toString(16).padStart(12, '0')}`;
}
