import type { Provisioning } from '#features/provisioning/contract.ts'
import type { Config, PanelConfig } from '#server/config.ts'

export const playerUserAgent = 'VLC/3.0.18 LibVLC/3.0.18'

/** The panel from which customers watch: PANEL_URL or, without it, the server for players in the settings; undefined if neither is set. */
export const playerPanel = (
  config: Pick<Config, 'panel' | 'panelAllowPrivate'>,
  { server }: Pick<Provisioning, 'server'>,
): PanelConfig | undefined =>
  config.panel ??
  (server === ''
    ? undefined
    : { url: server, allowPrivate: config.panelAllowPrivate, userAgent: playerUserAgent, neverExpires: [] })
