import type { AnnouncementKind, Audience } from './admin-contract.ts'

export const audienceNames: Record<Audience, string> = {
  everyone: 'Everyone, including visitors',
  customers: 'All customers',
  active: 'Customers with a running subscription',
  ended: 'Customers whose subscription has ended',
  never: 'Customers who never had a subscription',
  plans: 'Customers with a running subscription on chosen plans',
}

export const kindNames: Record<AnnouncementKind, string> = { service: 'About the service', news: 'News' }

/** Returns how many emails are queued each minute for a pace in emails per hour. */
export const perMinute = (perHour: number): number => Math.ceil(perHour / 60)

/** Returns how many minutes it takes to send the emails. */
export const minutesFor = (emails: number, perHour: number): number => Math.ceil(emails / perMinute(perHour))

/** Returns a duration in words: `12 minutes`, `3 hours`, `2 days`. */
export function durationText(minutes: number): string {
  const [count, unit] =
    minutes < 90
      ? [minutes, 'minute']
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns the key that identifies the email of an announcement to one person, so that it is sent only once. */
export const emailKey = (announcementId: number, userId: number): string => `announcement:${announcementId}:${userId}`
