import type { Provisioning } from '#features/provisioning/contract.ts'
import type { Config, PanelConfig } from '#server/config.ts'

const playersAgent = 'VLC/3.0.18 LibVLC/3.0.18'

/** Where customers watch: the panel of the environment, or the server that the settings name for players. */
export const playerPanel = (
  config: Pick<Config, 'panel' | 'panelAllowPrivate'>,
  { server }: Pick<Provisioning, 'server'>,
): PanelConfig | undefined =>
  config.panel ??
  (server === ''
    ? undefined
    : { url: server, allowPrivate: config.panelAllowPrivate, userAgent: playersAgent, neverExpires: [] })
