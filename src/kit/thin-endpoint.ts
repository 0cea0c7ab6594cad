/**
 * The properties of an endpoint that a browser needs. The build creates the endpoints of contracts with it: writing out
 * the path again in each id would add half a kilobyte to the entry script.
 */
export const thinEndpoint = (method: string, path: string, flags?: object) => ({
  id: `${method} ${path}`,
  method,
  path,
  ...flags,
})
