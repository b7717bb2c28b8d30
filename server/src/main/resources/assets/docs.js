// Shows the API's document. A file of its own, since the content security policy allows no script inside a page.
"use strict";
window.SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
});
