package io.hiroba;

import io.hiroba.accounts.FirstAdmin;
import io.hiroba.platform.config.LoadedConfig;

/** The lines that an operator reads once the node is ready: where it is, and how to get in. */
record StartupBanner(LoadedConfig<AppConfig> config, App app) {

    String text() {
        return """

                Hiroba is ready.
                  Address   %s
                  API       %s/docs
                  Admin     %s
                  Password  %s
                  Data      %s
                """.formatted(
                        app.address(),
                        app.address(),
                        app.admin().email().value(),
                        password(app.admin()),
                        config.value().data());
    }

    private String password(FirstAdmin.Result admin) {
        if (admin.generated().isPresent()) {
            return admin.generated().get().typed() + "   (generated, shown only this once: keep it or change it)";
        }
        return admin.created() ? "as set by HIROBA_ADMIN_PASSWORD" : "unchanged since an earlier start";
    }
}
