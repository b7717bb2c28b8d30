package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.util.Map;

/**
 * A complete response, which can be stored and sent again.
 *
 * @param body JSON
 */
public record Answer(int status, Map<String, String> headers, String body) {

    public Answer {
        headers = Map.copyOf(headers);
    }

    public static Answer ok(Object body) {
        return new Answer(200, Map.of(), Json.text(body));
    }

    public static Answer created(String location, Object body) {
        return new Answer(201, Map.of("Location", location), Json.text(body));
    }

    void send(Context ctx) {
        ctx.status(status).contentType("application/json");
        headers.forEach(ctx::header);
        ctx.result(body);
    }
}
