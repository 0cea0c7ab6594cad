import type { ContentType, ReportIssue, ReportStatus } from './contract.ts'

export const contentTypeNames: Record<ContentType, string> = { channel: 'Channel', movie: 'Movie', tvshow: 'TV Show' }

export const issueNames: Record<ReportIssue, string> = {
  not_working: 'Not Working',
  poor_quality: 'Poor Quality',
  wrong_content: 'Wrong Content',
  buffering: 'Buffering',
  other: 'Other',
}

export const statusNames: Record<ReportStatus, string> = {
  pending: 'Pending',
  reviewing: 'Under Review',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
}

/** Whether the author of a report sees its notes: in every status except pending. Specification 2, Reports. */
export const showsNotes = (status: ReportStatus): boolean => status !== 'pending'
