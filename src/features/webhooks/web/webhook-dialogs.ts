// biome-ignore-all lint/performance/noBarrelFile: one chunk for both dialogs, because every lazy import costs bytes in the first script of all pages

export { DeliveriesDialog } from './deliveries-dialog.tsx'
export { WebhookDialog } from './webhook-dialog.tsx'
