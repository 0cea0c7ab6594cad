import { type ListedPackage, testPanel } from '#features/provisioning/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import type { Input } from '#kit/endpoint.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { packageText } from './panel-types.ts'

interface Props {
  /** The connection entered in the form. */
  values: () => Input<typeof testPanel>['body']
  onListed: (packages: ListedPackage[]) => void
}

/** Tests the connection with the values in the form, saved or not, and shows the result. */
export function ProvisioningTest({ values, onListed }: Props) {
  const test = useSend(testPanel)
  const testConnection = () => test.mutate({ body: values() }, { onSuccess: ({ packages }) => onListed(packages) })
  const { data, error } = test
  return (
    <div className="grid gap-3">
      <div>
        <Button variant="line" pending={test.isPending} onClick={testConnection}>
          Test Connection
        </Button>
      </div>
      <div role="status" className="grid gap-3">
        {!test.isPending && data && <Note tone={data.ok ? 'ok' : 'bad'}>{data.message}</Note>}
        {!test.isPending && error && <Note tone="bad">{messageOf(error)}</Note>}
        {!test.isPending && data?.packagesMessage && (
          <Note tone="warn">The packages could not be listed: {data.packagesMessage}</Note>
        )}
      </div>
      {!test.isPending && data && data.packages.length > 0 && (
        <>
          <p id="offered-packages" className="field-label">
            Packages of the panel
          </p>
          <ul aria-labelledby="offered-packages" className="grid gap-1 text-sm text-fg-2">
            {data.packages.map((each) => (
              <li key={each.packageRef}>
                <b>{each.packageRef}</b> {packageText(each)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
