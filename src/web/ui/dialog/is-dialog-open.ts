/** Whether a dialog is open. A dialog that is closing is not, although it is still on the page. */
export const isDialogOpen = (): boolean => document.querySelector('.dialog:not([data-closed])') !== null
