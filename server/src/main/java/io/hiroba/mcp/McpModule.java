package io.hiroba.mcp;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** The module of the Model Context Protocol. It keeps nothing: each tool is an operation of the API, called in its caller's name. */
public final class McpModule implements FeatureModule {

    private final McpConfig config;
    private final HttpConfig http;
    private final EventStreams streams;

    public McpModule(McpConfig config, HttpConfig http, EventStreams streams) {
        this.config = config;
        this.http = http;
        this.streams = streams;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new McpRoutes(config, http.publicUrl(), streams));
    }

    /** Cookies do not matter there. */
    @Override
    public List<String> crossSitePaths() {
        return List.of(McpRoutes.PATH);
    }
}
