package io.hiroba;

import io.hiroba.accounts.FirstAdmin;
import io.hiroba.platform.config.LoadedConfig;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.DisplayWidth;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;

/** The lines that an operator reads once the node is ready: where it is, and how to get in. */
record StartupBanner(LoadedConfig<AppConfig> config, App app) {

    String in(Language language) {
        var rows = new LinkedHashMap<String, String>();
        rows.put(Text.of("server.banner.address").in(language), app.address().toString());
        rows.put("API", app.address() + "/docs");
        rows.put(
                Text.of("server.banner.admin").in(language), app.admin().email().value());
        rows.put(
                Text.of("server.banner.password").in(language),
                password(app.admin()).in(language));
        rows.put(
                Text.of("server.banner.data").in(language),
                config.value().data().toString());
        return rows.entrySet().stream()
                .map(row -> "  " + DisplayWidth.padded(row.getKey(), rows.keySet()) + "  " + row.getValue() + "\n")
                .collect(Collectors.joining(
                        "", "\n" + Text.of("server.banner.ready").in(language) + "\n", ""));
    }

    private static Text password(FirstAdmin.Result admin) {
        if (admin.generated().isPresent()) {
            return Text.of(
                    "server.banner.password-generated",
                    "password",
                    admin.generated().get().typed());
        }
        return Text.of(admin.created() ? "server.banner.password-set" : "server.banner.password-unchanged");
    }
}
