/**
 * The properties of an endpoint that a browser needs. The build makes the endpoints of contracts with it: repeating the path in the id
 * of each would cost half a kilobyte of the first script.
 */
export const thinEndpoint = (method: string, path: string, flags?: object) => ({
  id: `${method} ${path}`,
  method,
  path,
  ...flags,
})
