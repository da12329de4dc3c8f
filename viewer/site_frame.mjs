// What all pages of the site have around them.
export const escaped = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

const ways = [["index.html", "Scenes"], ["lab.html", "Laboratory"], ["guide/guide.html", "Guide"]];
const half = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18Z"/><circle cx="12" cy="12" r="9" fill="none"/></svg>';

/** `root` leads from the page to the site's folder: "" or "../". */
export const frame = ({ root, title, current, content, page }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="carom-core" content="wasm" data-root="${root}">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
</head>
<body class="site" data-page="${page}">
<header class="sitebar">
  <a class="mark" href="${root}index.html"><b>Carom</b></a>
  <nav aria-label="Site">${ways.map(([href, name]) => `<a href="${root}${href}"${href === current ? ' aria-current="true"' : ""}>${name}</a>`).join("")}</nav>
  <button id="theme" type="button" class="icon" aria-label="Switch between light and dark" title="Light or dark">${half}</button>
</header>
${content}
<script src="${root}site.js"></script>
</body>
</html>
`;
