/** Whether storage is shown as a picture or as a list: kept while the window lives. */
class StorageView {
  isPicture = $state(true)
  flip = () => (this.isPicture = !this.isPicture)
}

export const storageView = new StorageView()
