import { type RefObject, useState } from 'react'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import type { User } from '../../contract.ts'
import { EditProfileFields } from './edit-profile-fields.tsx'
import { EditProfilePassword } from './edit-profile-password.tsx'
import { usePasswordForm, useProfileForm } from './use-profile-forms.ts'

type ProfilePart = 'profile' | 'password'

interface Props {
  user: User
  /** The button that opened the dialog. */
  returnTo: RefObject<HTMLElement | null>
}

const tabs = [
  { value: 'profile', label: 'Name and Email' },
  { value: 'password', label: 'Password' },
] as const
const actions: Record<ProfilePart, string> = { profile: 'Save Changes', password: 'Change Password' }
const firstField: RefObject<HTMLElement | null> = {
  get current() {
    return document.querySelector<HTMLElement>(
      '#edit-profile-panel-profile input, #edit-profile-panel-password input:not([hidden])',
    )
  },
}

/** The Edit Profile dialog. It is open on mount; remount it with a new key for every opening. */
export function EditProfileDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [part, setPart] = useState<ProfilePart>('profile')
  const profile = useProfileForm(user, () => setOpen(false))
  const password = usePasswordForm(() => setOpen(false))
  const { form } = { profile, password }[part]

  return (
    <FormDialog
      open={open}
      onClose={() => {
        profile.form.draft.discard()
        setOpen(false)
      }}
      formId={`edit-${part}`}
      action={actions[part]}
      pending={form.pending}
      title="Edit Profile"
      description={`Your username stays ${user.username}.`}
      keepOnOutsidePress
      initialFocus={firstField}
      returnTo={returnTo}
    >
      <Tabs
        id="edit-profile"
        label="What to edit"
        tabs={tabs}
        value={part}
        onChange={(next) => !form.pending && setPart(next)}
      />
      <TabPanel id="edit-profile" value={part} className="pt-5 pb-2">
        {part === 'profile' ? (
          <EditProfileFields {...profile} email={user.email} />
        ) : (
          <EditProfilePassword {...password} username={user.username} />
        )}
      </TabPanel>
    </FormDialog>
  )
}
