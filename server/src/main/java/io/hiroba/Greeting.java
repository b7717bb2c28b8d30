package io.hiroba;

import io.hiroba.platform.config.LoadedConfig;

/** What the operator reads once the node is ready: where it is, and how to get in. */
record Greeting(LoadedConfig<AppConfig> config, App app) {

    String text() {
        return """

                Hiroba is ready.
                  Address   %s
                  API       %s/docs
                  Data      %s
                """.formatted(app.address(), app.address(), config.value().data());
    }
}
