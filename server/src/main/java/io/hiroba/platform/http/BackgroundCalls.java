package io.hiroba.platform.http;

import io.javalin.Javalin;
import io.javalin.config.Key;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls of the API within the process that no request led to: from this machine, with an authorization and nothing else. */
final class BackgroundCalls {

    private static final String HERE = "127.0.0.1";

    private BackgroundCalls() {}

    static InternalCalls of(Javalin javalin, String authorization) {
        var headers = Map.of("authorization", authorization, "host", "localhost", "user-agent", "Hiroba");
        var request = blank(HttpServletRequest.class, (method, arguments) -> requested(method, arguments, headers));
        var response = blank(HttpServletResponse.class, (method, arguments) -> null);
        var context = blank(Context.class, (method, arguments) -> switch (method.getName()) {
            case "appData" -> javalin.unsafe.appDataManager.get((Key<?>) arguments[0]);
            case "req" -> request;
            case "res" -> response;
            case "attribute" -> arguments.length == 1 ? RequestId.random() : null;
            default -> null;
        });
        return InternalCalls.of(context);
    }

    private static @Nullable Object requested(Method method, Object[] arguments, Map<String, String> headers) {
        return switch (method.getName()) {
            case "getHeader" -> headers.get(String.valueOf(arguments[0]).toLowerCase(Locale.ROOT));
            case "getHeaders" -> {
                var value = headers.get(String.valueOf(arguments[0]).toLowerCase(Locale.ROOT));
                yield Collections.enumeration(value == null ? List.of() : List.of(value));
            }
            case "getRemoteAddr", "getRemoteHost", "getLocalAddr" -> HERE;
            case "getScheme" -> "http";
            case "getProtocol" -> "HTTP/1.1";
            case "getServerName" -> "localhost";
            case "getContextPath", "getServletPath" -> "";
            case "getParameterMap" -> Map.of();
            case "getAttributeNames", "getHeaderNames", "getParameterNames" -> Collections.emptyEnumeration();
            default -> null;
        };
    }

    @FunctionalInterface
    private interface Answers {
        @Nullable
        Object to(Method method, Object[] arguments);
    }

    /** An object whose methods answer nothing but what {@code answers} says. */
    private static <T> T blank(Class<T> type, Answers answers) {
        InvocationHandler handler = (self, method, arguments) -> {
            var answer = answers.to(method, arguments == null ? new Object[0] : arguments);
            return answer == null ? nothing(method.getReturnType()) : answer;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return 0;
        }
        return type == long.class ? (Object) 0L : null;
    }
}
