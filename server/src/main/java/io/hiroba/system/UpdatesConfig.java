package io.hiroba.system;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** The check for a newer release. */
public record UpdatesConfig(
        @Default("true") @Doc("Whether `updates.address` is asked once a day for the newest release.")
        boolean check,

        @Default("")
        @Doc(
                "The address of a JSON document with the newest release: `version` and `url`, or `tag_name` and `html_url` as GitHub's and Gitea's APIs answer. Empty means that nothing is asked. Nothing about this server is sent.")
        String address) {

    public UpdatesConfig {
        if (!address.isEmpty() && !address.matches("https?://[^\\s#]+")) {
            throw new IllegalArgumentException("address must be a URL of http or https");
        }
    }

    boolean isOn() {
        return check && !address.isEmpty();
    }
}
