// What libraries import of Node for programs that run in it; nothing calls it in a page.
export default {}
