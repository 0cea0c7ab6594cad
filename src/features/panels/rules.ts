import type { Provisioning } from './contract.ts'

/** What an installation starts with: administrators type in what they made on the panel. */
export const noProvisioning: Provisioning = {
  kind: 'manual',
  address: '',
  username: '',
  ca: '',
  server: '',
  graceDays: 3,
  packages: {},
  trialPackage: '',
}
