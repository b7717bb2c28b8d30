package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CrossSiteTest {

    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = new LiveServer(
                HttpConfig.onFreePort().withPublicUrl("https://square.example"),
                builder -> builder.allowCrossSite("/open/")
                        .routes(routes -> routes.post("/act", ctx -> ctx.json("done"))
                                .post("/open/{token}", ctx -> ctx.json("done"))
                                .get("/see", ctx -> ctx.json("seen"))));
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static int post(String... headers) {
        return postTo("/act", headers);
    }

    private static int postTo(String path, String... headers) {
        var request = live.request(path).POST(BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return live.send(request).statusCode();
    }

    @Test
    void ourOwnPagesMayAct() {
        assertThat(post("Sec-Fetch-Site", "same-origin")).isEqualTo(200);
        assertThat(post("Sec-Fetch-Site", "none")).isEqualTo(200);
        assertThat(post("Origin", "https://square.example")).isEqualTo(200);
        assertThat(post("Origin", "http://127.0.0.1:" + live.server.port())).isEqualTo(200);
    }

    @Test
    void anotherSitesPagesMayNot() {
        assertThat(post("Sec-Fetch-Site", "cross-site")).isEqualTo(403);
        assertThat(post("Sec-Fetch-Site", "same-site")).isEqualTo(403);
        assertThat(post("Sec-Fetch-Site", "cross-site", "Origin", "https://square.example"))
                .isEqualTo(403);
        assertThat(post("Origin", "https://evil.example")).isEqualTo(403);
        assertThat(post("Origin", "null")).isEqualTo(403);
        assertThat(post("Origin", "https://square.example.evil")).isEqualTo(403);
        assertThat(post("Origin", "::")).isEqualTo(403);
    }

    @Test
    void whatIsNotABrowserMayAct() {
        assertThat(post()).isEqualTo(200);
        assertThat(post("Authorization", "Bearer t", "Sec-Fetch-Site", "cross-site"))
                .isEqualTo(200);
        assertThat(post("Authorization", "Basic t", "Sec-Fetch-Site", "cross-site"))
                .isEqualTo(403);
    }

    @Test
    void whatTheAddressAllowsIsAllowedFromAnywhereAndNothingElse() {
        assertThat(postTo("/open/token", "Sec-Fetch-Site", "cross-site", "Origin", "https://mail.example"))
                .isEqualTo(200);
        assertThat(postTo("/act?/open/", "Sec-Fetch-Site", "cross-site")).isEqualTo(403);
        assertThat(postTo("/open/../act", "Sec-Fetch-Site", "cross-site")).isNotEqualTo(200);
        assertThat(postTo("/open/%2e%2e/act", "Sec-Fetch-Site", "cross-site")).isNotEqualTo(200);
    }

    @Test
    void lookingIsAlwaysAllowed() {
        assertThat(live.send(live.request("/see").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(200);
    }
}
