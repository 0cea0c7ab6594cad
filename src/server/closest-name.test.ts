import { expect, test } from 'vitest'
import { settingWarnings } from './config.ts'

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['public_url', 'PUBLIC_URL'],
  ['SECRETKEY', 'SECRET_KEY'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['PROT', 'PORT'],
])('%s is reported as a probable typo of %s', (name, closest) => {
  expect(settingWarnings({ [name]: '1' })).toEqual([
    `${name} is not a setting and has no effect. Did you mean ${closest}?`,
  ])
})

test('variables of shells, npm, systemd and container engines cause no warning', () => {
  const names =
    'PATH HOME USER LOGNAME SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL _ EDITOR HOSTNAME HOSTTYPE INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET INIT_CWD COLOR NODE npm_config_cache npm_package_version NODE_OPTIONS NODE_ENV NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE MAIL LOGS_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY TZ TMPDIR SSH_CLIENT DISPLAY'
  expect(settingWarnings(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([])
})
