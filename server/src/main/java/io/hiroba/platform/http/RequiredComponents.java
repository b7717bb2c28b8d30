package io.hiroba.platform.http;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * Derives required JSON fields from the nullness of record components: each must be present and not null unless it is
 * {@code @Nullable} or an {@code Optional}.
 */
final class RequiredComponents extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        return isRequired(member) ? Boolean.TRUE : super.hasRequiredMarker(config, member);
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)) {
            return super.findSetterInfo(config, annotated);
        }
        // A list that may be left out still holds no nulls.
        var contents = mayHoldNulls(parameter) ? Nulls.DEFAULT : Nulls.FAIL;
        return isRequired(parameter)
                ? JsonSetter.Value.forValueNulls(Nulls.FAIL, contents)
                : JsonSetter.Value.forContentNulls(contents);
    }

    private static boolean isRequired(Annotated annotated) {
        return annotated instanceof AnnotatedParameter parameter
                && component(parameter).filter(RequiredComponents::isRequired).isPresent();
    }

    static boolean isRequired(RecordComponent component) {
        return component.getType() != Optional.class && !isNullable(component.getAnnotatedType());
    }

    private static Optional<RecordComponent> component(AnnotatedParameter parameter) {
        var components = parameter.getDeclaringClass().getRecordComponents();
        return components == null || components.length <= parameter.getIndex()
                ? Optional.empty()
                : Optional.of(components[parameter.getIndex()]);
    }

    /** Whether the elements of a list or the values of a map are {@code @Nullable}. */
    private static boolean mayHoldNulls(AnnotatedParameter parameter) {
        return component(parameter)
                .map(RecordComponent::getAnnotatedType)
                .filter(AnnotatedParameterizedType.class::isInstance)
                .map(type -> ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments())
                .filter(arguments -> isNullable(arguments[arguments.length - 1]))
                .isPresent();
    }

    private static boolean isNullable(AnnotatedType type) {
        return Arrays.stream(type.getAnnotations()).anyMatch(mark -> mark.annotationType() == Nullable.class);
    }
}
