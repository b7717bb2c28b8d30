package io.hiroba.platform.http;

import io.javalin.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Makes {@code ctx.json} and {@code ctx.bodyAsClass} use {@link Json}. */
final class JsonBody implements JsonMapper {

    @Override
    public String toJsonString(Object value, Type type) {
        return Json.text(value);
    }

    @Override
    public InputStream toJsonStream(Object value, Type type) {
        return new ByteArrayInputStream(Json.bytes(value));
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Javalin's signature
    public <T> T fromJsonString(String json, Type type) {
        return (T) Json.readAs(json, type);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Javalin's signature
    public <T> T fromJsonStream(InputStream json, Type type) {
        try {
            return (T) Json.readAs(new String(json.readAllBytes(), StandardCharsets.UTF_8), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
