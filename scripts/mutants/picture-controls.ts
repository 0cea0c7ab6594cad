import type { Mutant } from './mutant.ts'

const folder = 'src/features/tickets/server/service/pictures'
const mutant = (
  control: string,
  file: string,
  text: string,
  instead: string,
  test = 'src/features/tickets/pictures.test.ts',
): Mutant => ({ control, edits: [{ file, text, instead }], tests: [test] })

/** The controls of ticket pictures. */
export const pictureControls: Mutant[] = [
  mutant(
    'owner of a picture',
    `${folder}/read-picture.ts`,
    "and(eq(tickets.userId, userId), ne(ticketMessages.kind, 'note'))",
    'isNotNull(ticketPictures.messageId)',
  ),
  mutant('uploader of a picture', `${folder}/sent-pictures.ts`, 'sent.id and uploaded_by = ', 'sent.id and 0 < '),
  mutant(
    'maximum megapixels of a picture',
    'src/features/images/server/encode-image.ts',
    'width * height > pixels ?',
    'width * height < 0 ?',
  ),
  mutant(
    'no pictures from senders that are not verified',
    'src/features/receipts/server/mailbox/process-ticket-email.ts',
    'if (!isProven) return { pictures',
    'if (false) return { pictures',
    'src/features/receipts/mailbox-pictures.test.ts',
  ),
]
