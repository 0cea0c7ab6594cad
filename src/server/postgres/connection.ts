/** Connection options for the Unix socket; `host` is the socket's folder. */
export type Connection = { host: string; port: number; user: string; database: string }
