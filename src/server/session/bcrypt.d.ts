/** The one function of the package that is used: only verification, since new hashes are argon2id. */
declare module '@node-rs/bcrypt' {
  export function verify(password: string, hash: string): Promise<boolean>
  /** Only for tests. */
  export function hash(password: string, cost: number): Promise<string>
}
