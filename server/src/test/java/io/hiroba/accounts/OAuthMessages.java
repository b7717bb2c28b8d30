package io.hiroba.accounts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Sha256;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square.Person;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;

/** The requests of an app, and what it is answered. */
final class OAuthMessages {

    static final String CALLBACK = "https://notes.example/callback";
    static final String VERIFIER = "v".repeat(43);
    static final String CHALLENGE = Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(VERIFIER));

    private OAuthMessages() {}

    static String encoded(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    static Reply form(ApiClient client, String path, Map<String, String> parameters) {
        return client.sendAs("application/x-www-form-urlencoded", "POST", path, encoded(parameters));
    }

    static Map<String, String> request(String client, String scope) {
        var request = new LinkedHashMap<String, String>();
        request.put("response_type", "code");
        request.put("client_id", client);
        request.put("redirect_uri", CALLBACK);
        request.put("scope", scope);
        request.put("state", "s t&te");
        request.put("code_challenge", CHALLENGE);
        request.put("code_challenge_method", "S256");
        return request;
    }

    static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        var changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return changed;
    }

    static Map<String, String> without(Map<String, String> parameters, String name) {
        var changed = new LinkedHashMap<>(parameters);
        changed.remove(name);
        return changed;
    }

    /** The parameters that the app is sent. */
    static Map<String, String> sent(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(303);
        return parameters(reply.header("Location"));
    }

    /** The parameters that the app is sent if the person goes there from the page that shows what is wrong. */
    static Map<String, String> offered(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(reply.header("Location")).isEmpty();
        return parameters(Jsoup.parse(reply.body()).select("main a.button").attr("href"));
    }

    private static Map<String, String> parameters(String address) {
        assertThat(address).startsWith(CALLBACK + "?");
        return Arrays.stream(URI.create(address).getRawQuery().split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
    }

    static Reply allow(ApiClient browser, Map<String, String> request) {
        var body = encoded(with(request, "decision", "allow"))
                + Arrays.stream(Objects.requireNonNull(request.get("scope")).split(" "))
                        .map(scope -> "&granted=" + URLEncoder.encode(scope, UTF_8))
                        .collect(Collectors.joining());
        return browser.sendAs("application/x-www-form-urlencoded", "POST", "/oauth/authorize", body);
    }

    static Map<String, String> exchange(String app, String code) {
        return new TreeMap<>(Map.of(
                "grant_type", "authorization_code",
                "client_id", app,
                "code", code,
                "redirect_uri", CALLBACK,
                "code_verifier", VERIFIER));
    }

    static ApiClient browser(ApiClient anonymous, Person person) {
        var session = anonymous.post(
                "/api/v1/session", "{'email':'%s','password':'%s'}".formatted(person.email(), person.password()));
        return anonymous.cookie(session.cookie()).with("Accept", "text/html");
    }

    static String error(Reply reply) {
        return reply.status() + " " + reply.text("error");
    }

    static Reply register(ApiClient anonymous, String redirectUri, String method) {
        return anonymous.post(
                "/oauth/register",
                Json.text(Map.of(
                        "client_name",
                        "Notes",
                        "redirect_uris",
                        List.of(redirectUri),
                        "token_endpoint_auth_method",
                        method,
                        "logo_uri",
                        "https://notes.example/logo.png")));
    }
}
