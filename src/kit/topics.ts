/**
 * The subjects of change events. A service names the topics that its transaction changed, and an endpoint lists in
 * `dependsOn` the topics that its response shows. Neither refers to the other.
 */
export const topics = [
  // Of one user
  'user',
  'subscription',
  'credit',
  'invoice',
  'payment',
  'refund',
  'iptv_account',
  'line',
  'trial_request',
  'report',
  'ticket',
  'watchlist',
  'program_mark',
  'play',
  'device',
  'passkey',
  'two_factor',
  'viewing',
  // Of the operator
  'line_job',
  'line_drift',
  'panel',
  'inquiry',
  'mail',
  'mailbox',
  'visitor',
  'channel',
  'plan',
  'faq',
  'device_category',
  'setup_guide',
  'sample_content',
  'logo',
  'saved_view',
  'user_note',
  'desk_presence',
  'channel_right',
  'guide',
  'guide_source',
  'setting',
  'installation',
] as const
export type Topic = (typeof topics)[number]
