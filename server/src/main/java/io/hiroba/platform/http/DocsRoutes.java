package io.hiroba.platform.http;

import io.javalin.config.RoutesConfig;

/** The routes of the OpenAPI document and of the page to browse it. */
final class DocsRoutes implements Routes {

    private final byte[] document = Assets.resource(ContractDocument.PATH)
            .orElseThrow(() -> new IllegalStateException("openapi.yaml is not on the class path"));
    private final Assets assets;

    DocsRoutes(Assets assets) {
        this.assets = assets;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/openapi.yaml", ctx -> ctx.contentType("application/yaml").result(document));
        routes.get("/docs", ctx -> ctx.html(page()));
    }

    /** Made when it is asked for: the address of its large script takes a hash that a start need not wait for. */
    private String page() {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Hiroba API</title>
                <link rel="icon" href="%s" type="image/svg+xml">
                <link rel="stylesheet" href="%s">
                </head>
                <body>
                <div id="docs"></div>
                <script src="%s"></script>
                <script src="%s"></script>
                </body>
                </html>
                """.formatted(
                        assets.url("logo.svg"),
                        assets.url("swagger-ui.css"),
                        assets.url("swagger-ui-bundle.js"),
                        assets.url("docs.js"));
    }
}
