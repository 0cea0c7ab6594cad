/** What stands in a control of the server's page: somebody may have been quicker than the scripts, or the browser may have filled it in. */
export const valueBeforeHydration = (id: string): string | undefined => {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : undefined
}
