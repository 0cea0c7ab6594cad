import type { ContentType, ReportIssue } from './contract.ts'

export const contentTypeNames: Record<ContentType, string> = { channel: 'Channel', movie: 'Movie', tvshow: 'TV Show' }

export const issueNames: Record<ReportIssue, string> = {
  not_working: 'Not Working',
  poor_quality: 'Poor Quality',
  wrong_content: 'Wrong Content',
  buffering: 'Buffering',
  other: 'Other',
}
