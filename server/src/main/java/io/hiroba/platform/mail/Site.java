package io.hiroba.platform.mail;

import io.hiroba.platform.http.HttpConfig;
import java.net.URI;

/**
 * The name and address of this server in mails.
 *
 * @param url where people reach it, without a slash at the end
 */
public record Site(String name, String url) {

    /** Without a public address it is reached on its own machine. */
    public static Site of(HttpConfig config) {
        return config.publicUrl().isEmpty()
                ? new Site("Hiroba", "http://localhost:" + config.port())
                : new Site(URI.create(config.publicUrl()).getAuthority(), config.publicUrl());
    }

    public boolean isSecure() {
        return url.startsWith("https:");
    }

    public String link(String path) {
        return url + path;
    }
}
