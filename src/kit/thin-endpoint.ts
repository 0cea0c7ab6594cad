/**
 * Returns an endpoint with only the properties that a browser needs. The build replaces the endpoints of contracts with
 * calls of this function: repeating each path in the id would add half a kilobyte to the entry script.
 */
export const thinEndpoint = (method: string, path: string, flags?: object) => ({
  id: `${method} ${path}`,
  method,
  path,
  ...flags,
})
