package io.hiroba.accounts.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** A browser without scripts that keeps cookies and follows no redirect by itself. */
final class OidcVisitor {

    private final String server;
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    OidcVisitor(String server) {
        this.server = server;
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    /** Sends a form. */
    HttpResponse<String> post(String path, Map<String, String> form) {
        var body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private URI uri(String path) {
        return URI.create(path.startsWith("http") ? path : server + path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.header("Accept", "text/html").build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Document page(HttpResponse<String> answer) {
        return Jsoup.parse(answer.body());
    }

    /** Holds that a page says why nobody was signed in, and leads back to the log-in. */
    static void assertRefused(HttpResponse<String> answer, int status, String text) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(page(answer).select("[role=alert]").text()).contains(text);
        assertThat(page(answer).select("main a[href=/login]")).hasSize(1);
    }

    boolean isSignedIn() {
        return get("/api/v1/me").statusCode() == 200;
    }

    /** Where an answer leads, without the address of the server. */
    String target(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(300, 399);
        var location = answer.headers().firstValue("Location").orElseThrow();
        return location.startsWith(server) ? location.substring(server.length()) : location;
    }

    /** Signs in at the provider; answers the address to which it sends the browser back, which was not opened yet. */
    String callback(String start, String name) {
        var authorize = target(get(start));
        var location = target(get(authorize));
        if (location.endsWith("/login")) {
            var form = Objects.requireNonNull(page(get(location)).selectFirst("form"));
            var csrf = form.selectFirst("input[name=_csrf]");
            var answer = post(
                    location,
                    Map.of(
                            "username",
                            name,
                            "password",
                            IdentityProvider.PASSWORD,
                            "_csrf",
                            csrf == null ? "" : csrf.attr("value")));
            location = target(get(target(answer)));
        }
        assertThat(location).contains("/callback?");
        return location;
    }

    /** Signs in at the provider and comes back. */
    HttpResponse<String> signIn(String name) {
        return get(callback("/login/oidc/keycloak?next=/users", name));
    }
}
