// What Chromium tells people who do not see a page.
const roles = ["button", "combobox", "checkbox", "slider", "textbox", "searchbox", "link", "img", "image", "tab", "table", "region", "dialog", "progressbar"];

/** Controls, pictures and regions of the page without a name. */
export async function unnamedForReaders(page) {
  const session = await page.context().newCDPSession(page), { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.filter((one) => !one.ignored && roles.includes(one.role?.value) && !one.name?.value).map((one) => `${one.role.value} ${one.nodeId}`);
}
