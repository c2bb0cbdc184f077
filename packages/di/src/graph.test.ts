import {
  graphToMermaid,
  Inject,
  Injectable,
  InjectionToken,
  type Lazy,
  lazy,
  Module,
  Optional,
  planContainer,
  Scope,
} from '.';

const NAME = new InjectionToken<string>('the "name"');

@Injectable({ scope: Scope.TRANSIENT })
class Line {}
@Injectable()
class Store {}
@Injectable({ scope: Scope.CALL })
class Agent {
  constructor(
    readonly store: Store,
    readonly line: Line,
    @Inject(NAME) @Optional() readonly name: string,
    @Inject(lazy(() => Agent)) readonly self: Lazy<unknown>,
  ) {}
}
@Module({ providers: [Store], exports: [Store] })
class StoreModule {}
@Module({ imports: [StoreModule], exports: [StoreModule], providers: [Line], agents: [Agent] })
class AppModule {}

test('the graph is plain JSON of modules, providers, scopes and dependencies', async () => {
  const graph = (await planContainer(AppModule)).graph();
  expect(JSON.parse(JSON.stringify(graph))).toEqual(graph);
  const [store, app] = graph.modules;
  expect(store).toEqual({
    id: 'StoreModule',
    name: 'StoreModule',
    global: false,
    imports: [],
    exports: ['Store'],
    agents: [],
    providers: [
      {
        id: 'StoreModule/Store',
        token: 'Store',
        kind: 'class',
        scope: 'SINGLETON',
        multi: false,
        dependencies: [],
      },
    ],
  });
  expect(app).toMatchObject({ imports: ['StoreModule'], exports: ['StoreModule'], agents: ['Agent'] });
  expect(app?.providers.find(({ token }) => token === 'Agent')?.dependencies).toEqual([
    { token: 'Store', providers: ['StoreModule/Store'], lazy: false, optional: false },
    { token: 'Line', providers: ['AppModule/Line'], lazy: false, optional: false },
    { token: 'the "name"', providers: [], lazy: false, optional: true },
    { token: 'Agent', providers: ['AppModule/Agent'], lazy: true, optional: false },
  ]);
});

test('another name is shown with the scope of what it names', async () => {
  @Module({ providers: [Line, { provide: NAME, useExisting: Line }] })
  class AliasModule {}
  const [module] = (await planContainer(AliasModule)).graph().modules;
  expect(module?.providers.map(({ kind, scope }) => [kind, scope])).toEqual([
    ['class', 'TRANSIENT'],
    ['existing', 'TRANSIENT'],
  ]);
});

test('the graph as Mermaid: a box a module, an arrow a dependency', async () => {
  const plan = await planContainer(AppModule, { globals: [{ provide: NAME, useValue: 'x' }] });
  expect(graphToMermaid(plan.graph())).toBe(`flowchart LR
  subgraph m0["(globals)"]
    p0["the &quot;name&quot;"]
  end
  subgraph m1["StoreModule"]
    p1["Store"]
  end
  subgraph m2["AppModule"]
    p2{{"Line"}}
    p3("Agent")
  end
  p3 --> p1
  p3 --> p2
  p3 --> p0
  p3 -.-> p3
`);
});
