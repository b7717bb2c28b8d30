package io.hiroba.platform.web;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.javalin.http.Context;
import java.util.Map;

/** The HTML templates, compiled with the program: nothing is read from disk or compiled while it runs. */
public final class Templates {

    private static final String PACKAGE = "io.hiroba.templates";

    private final TemplateEngine engine =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Templates.class.getClassLoader(), PACKAGE);

    /** Renders a template, such as {@code accounts/login}, with a value for each of its parameters. */
    public byte[] render(String template, Map<String, ?> parameters) {
        var output = new Utf8ByteOutput();
        engine.render(template + ".jte", Map.copyOf(parameters), new IsolatingOutput(output));
        return output.toByteArray();
    }

    void write(Context ctx, String template, Map<String, ?> parameters) {
        ctx.contentType("text/html; charset=utf-8").result(render(template, parameters));
    }
}
