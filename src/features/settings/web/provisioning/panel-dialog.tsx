import { useId, useState } from 'react'
import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import {
  createPanel,
  deletePanel,
  listPanels,
  type PanelRow,
  panelForm,
  updatePanel,
} from '#features/provisioning/admin-panels-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { NewLinesFields } from './new-lines-fields.tsx'
import { panelTypeOptions } from './panel-types.ts'
import { ProvisioningPackages } from './provisioning-packages.tsx'
import { ProvisioningTest } from './provisioning-test.tsx'

interface Props {
  /** Null to add a panel. */
  panel: PanelRow | null
  plans: AdminPlan[]
  returnTo: () => HTMLElement | null
}

const packagesOf = (panel: PanelRow | null, plans: AdminPlan[]) =>
  Object.fromEntries(plans.map(({ id }) => [String(id), panel?.packages[String(id)] ?? '']))

/** Adds, changes or deletes a panel. For the main panel, only the name and the new lines can be changed here. */
export function PanelDialog({ panel, plans, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [deleting, setDeleting] = useState(false)
  const [listed, setListed] = useState<ListedPackage[]>([])
  const create = useSend(createPanel, [listPanels])
  const update = useSend(updatePanel, [listPanels])
  const remove = useSend(deletePanel, [listPanels])
  const form = useSchemaForm({
    schema: panelForm,
    id,
    fields: [
      'name',
      'kind',
      'address',
      'username',
      'key',
      'ca',
      'server',
      'packages',
      'trialPackage',
      'planIds',
      'lineLimit',
      'acceptsLines',
      'isDefault',
    ],
    defaultValues: {
      name: panel?.name ?? '',
      kind: panel?.kind ?? 'xui-reseller',
      address: panel?.address ?? '',
      username: panel?.username ?? '',
      key: '',
      ca: panel?.ca ?? '',
      server: panel?.server ?? '',
      packages: packagesOf(panel, plans),
      trialPackage: panel?.trialPackage ?? '',
      planIds: panel?.planIds ?? [],
      lineLimit: panel?.lineLimit ?? null,
      acceptsLines: panel?.acceptsLines ?? true,
      isDefault: panel?.isDefault ?? false,
    },
  })
  const kind = form.watch('kind')
  const typed = () => {
    const [address, username, key, ca] = form.watch(['address', 'username', 'key', 'ca'])
    return { kind, address, username, key, ca, ...(panel && { panelId: panel.id }) }
  }
  const submit = form.onSubmit(async (body) => {
    if (panel) await update.mutateAsync({ params: { panelId: panel.id }, body: { ...body, version: panel.version } })
    else await create.mutateAsync({ body })
    setOpen(false)
    toast({
      title: panel ? 'Panel saved' : 'Panel added',
      description: `${body.name}: applies to new lines from now on.`,
    })
  })
  const confirmDelete = () =>
    remove.mutate(
      { params: { panelId: panel!.id }, query: { version: panel!.version } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Panel deleted', description: `${panel!.name} is no longer called.` })
        },
        onError: (failure) =>
          toast({ title: 'Panel not deleted', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => setDeleting(false),
      },
    )
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={panel ? `Edit ${panel.name}` : 'Add Panel'}
      description={panel?.isMain ? 'The connection of the main panel is in the Provisioning form.' : undefined}
      action={panel ? 'Save Panel' : 'Add Panel'}
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The panel has not been saved yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      extra={
        panel &&
        !panel.isMain && (
          <Button variant="line" className="sm:mr-auto" onClick={() => setDeleting(true)}>
            Delete Panel
          </Button>
        )
      }
      returnTo={returnTo}
      size="wide"
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" maxLength={60} required />
        </Field>
        {!panel?.isMain && (
          <>
            <Field
              label="Panel type"
              hint={panelTypeOptions.find((option) => option.kind === kind)!.hint}
              {...form.field('kind')}
            >
              <NativeSelect {...form.register('kind')}>
                {panelTypeOptions
                  .filter((option) => option.kind !== 'manual')
                  .map((option) => (
                    <option key={option.kind} value={option.kind}>
                      {option.name}
                    </option>
                  ))}
              </NativeSelect>
            </Field>
            <ConnectionFields form={form} kind={kind} keySet={panel?.keySet ?? false} />
            <ProvisioningTest values={typed} onListed={setListed} />
            <Field label="Server that customers enter in their app" {...form.field('server')}>
              <Input
                {...form.register('server')}
                type="url"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder="https://"
                required
              />
            </Field>
            <ProvisioningPackages form={form} plans={plans} listed={listed} kind={kind} />
          </>
        )}
        <NewLinesFields form={form} plans={plans} />
      </form>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${panel?.name}?`}
        description="Only a panel without lines can be deleted. Its key is deleted too."
        action="Delete Panel"
        pending={remove.isPending}
        onConfirm={confirmDelete}
      />
    </FormDialog>
  )
}
