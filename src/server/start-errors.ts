import type { Config } from './config.ts'

type Settings = Pick<Config, 'port' | 'host' | 'dataDir'>
type SystemError = Error & { code?: string; syscall?: string; path?: string }
const fileErrorCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT']

/** Returns the message for the operator when the start fails. For known system errors it says what to change; otherwise it is the error's own message. */
export function describeStartError(error: Error, { port, host, dataDir }: Settings): string {
  const { code = '', syscall, path = '', message } = error as SystemError
  if (syscall === 'listen' || code === 'EADDRINUSE') {
    if (code === 'EADDRINUSE')
      return `PORT ${port} is used by another program on this machine. Stop that program or set another PORT.`
    if (code === 'EACCES')
      return `This account may not listen on PORT ${port}. Set a PORT of 1024 or above, with a proxy in front for 80 and 443.`
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
      return `HOST ${host} is not an address of this machine. Set another HOST, or none to listen on all addresses.`
  }
  if (fileErrorCodes.includes(code) && (path.startsWith(dataDir) || dataDir.startsWith(path)) && path !== '')
    return `DATA_DIR ${dataDir} cannot be used by this account (user id ${process.getuid?.() ?? 'unknown'}): ${code} at ${path}.`
  return message
}
