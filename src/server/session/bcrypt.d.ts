/** The functions of the package that are used: only verification, because new hashes are argon2id. */
declare module '@node-rs/bcrypt' {
  export function verify(password: string, hash: string): Promise<boolean>
  /** Only for tests. */
  export function hash(password: string, cost: number): Promise<string>
}
